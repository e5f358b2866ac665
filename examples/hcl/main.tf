terraform {
  required_providers {
    slipway = {
      source = "pulumi/slipway"
    }
  }
}

variable "session_secret" {
  type      = string
  default   = "change-me"
  sensitive = true
}

resource "slipway_project" "quickstart" {
  name             = "quickstart-hcl"
  framework        = "nextjs"
  node_version     = "22.x"
  build_command    = "npm run build"
  output_directory = ".next"

  # Previews ask for a login.
  sso_protection = {
    deployment_type = "preview"
  }

  lifecycle {
    create_before_destroy = true
  }
}

resource "slipway_project_domain" "apex" {
  project = slipway_project.quickstart.id
  name    = "hcl.example.com"

  lifecycle {
    create_before_destroy = true
  }
}

resource "slipway_project_domain" "www" {
  project              = slipway_project.quickstart.id
  name                 = "www.hcl.example.com"
  redirect             = slipway_project_domain.apex.name
  redirect_status_code = 308

  lifecycle {
    create_before_destroy = true
  }
}

resource "slipway_env_var" "site_url" {
  project = slipway_project.quickstart.id
  key     = "SITE_URL"
  value   = "https://${slipway_project_domain.apex.name}"
  type    = "plain"
  target  = ["production"]

  lifecycle {
    create_before_destroy = true
  }
}

resource "slipway_env_var" "session_secret" {
  project = slipway_project.quickstart.id
  key     = "SESSION_SECRET"
  value   = var.session_secret
  type    = "sensitive"
  target  = ["production"]

  lifecycle {
    create_before_destroy = true
  }
}

resource "slipway_env_var" "feature_flags" {
  project    = slipway_project.quickstart.id
  key        = "FEATURE_FLAGS"
  value      = "new-checkout"
  type       = "plain"
  target     = ["preview"]
  git_branch = "checkout"

  lifecycle {
    create_before_destroy = true
  }
}

output "project_id" {
  value = slipway_project.quickstart.id
}

# Publish one of these records to verify the domain.
output "challenges" {
  value = slipway_project_domain.apex.verification
}
