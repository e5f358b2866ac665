terraform {
  required_providers {
    slipway = {
      source = "pulumi/slipway"
    }
  }
}

resource "slipway_project" "web" {
  name      = "${PROJECT}"
  framework = "nextjs"

  lifecycle {
    create_before_destroy = true
  }
}

resource "slipway_env_var" "greeting" {
  project = slipway_project.web.id
  key     = "GREETING"
  value   = "hello"
  type    = "plain"
  target  = ["production", "preview"]

  lifecycle {
    create_before_destroy = true
  }
}

resource "slipway_project_domain" "domain" {
  project = slipway_project.web.id
  name    = "www.example.com"

  lifecycle {
    create_before_destroy = true
  }
}

output "project_id" {
  value = slipway_project.web.id
}

# Publish one of these records to verify the domain.
output "challenges" {
  value = slipway_project_domain.domain.verification
}
