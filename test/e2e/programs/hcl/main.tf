terraform {
  required_providers {
    slipway = {
      source = "pulumi/slipway"
    }
  }
}

data "slipway_project" "docs" {
  project = "docs"
}

data "slipway_projects" "docs" {
  search = "doc"
}

data "slipway_project_domains" "docs" {
  project = "docs"
}

data "slipway_env_vars" "docs" {
  project = "docs"
}

data "slipway_promote_aliases" "docs" {
  project = "docs"
}

data "slipway_custom_environment" "docs" {
  project     = "docs"
  environment = "staging"
}

data "slipway_project_domain" "docs" {
  id = "docs/docs.test"
}

data "slipway_env_var" "docs" {
  id = "docs/K/preview"
}

data "slipway_edge_config_item" "docs" {
  id = "docs/K"
}

data "slipway_edge_config" "docs" {
  edge_config = "docs"
}

data "slipway_team" "docs" {
}

data "slipway_access_group" "docs" {
  access_group = "docs"
}

data "slipway_blob_store" "docs" {
  blob_store = "docs"
}

data "slipway_microfrontend_group" "docs" {
  microfrontend_group = "docs"
}

data "slipway_deployment" "docs" {
  project = "docs"
  id      = "dpl_docs"
}

data "slipway_domain_config" "docs" {
  domain  = "docs.test"
  project = "docs"
}

data "slipway_deployments" "docs" {
  project = "docs"
}

resource "slipway_project" "web" {
  name      = "web"
  framework = var.framework
}

resource "slipway_project_domain" "apex" {
  project = slipway_project.web.id
  name    = "example.com"
}

resource "slipway_project_domain" "www" {
  lifecycle {
    create_before_destroy = true
  }
  project  = slipway_project.web.id
  name     = var.redirecting
  redirect = slipway_project_domain.apex.name
}

resource "slipway_env_var" "secret" {
  project = slipway_project.web.id
  key     = "SECRET"
  value   = "canary-value"
  type    = "sensitive"
  target  = ["production"]
}

resource "slipway_env_vars" "many" {
  project = slipway_project.web.id
  variables = {
    "A" = "canary-a"
    "B" = {
      "value" = "canary-b"
      "type"  = "plain"
    }
  }
}

resource "slipway_deployment" "built" {
  project  = slipway_project.web.id
  redeploy = "dpl_one"
  triggers = ["one", {
    "two" = [2]
  }]
}

resource "slipway_deployment" "site" {
  project   = slipway_project.web.id
  directory = "site"
  environment = {
    "KEY" = "canary-key"
  }
}

resource "slipway_deployment" "output" {
  project  = slipway_project.web.id
  prebuilt = "output"
}

resource "slipway_deployment" "pushed" {
  project    = "docs"
  ref        = "main"
  on_destroy = "delete"
}

resource "slipway_promotion" "live" {
  project    = slipway_project.web.id
  deployment = var.deployment
}

provider "slipway" {
  alias = "beta"
  token = "canary-any-team"
  team  = "beta"
}

resource "slipway_project" "other" {
  provider = slipway.beta
}

variable "framework" {
  type    = string
  default = "nextjs"
}

variable "redirecting" {
  type    = string
  default = "www.example.com"
}

variable "deployment" {
  type    = string
  default = "dpl_one"
}

output "projectId" {
  value = slipway_project.web.id
}

output "challenge" {
  value = slipway_project_domain.apex.verification
}

output "found" {
  value = data.slipway_project.docs.framework
}

output "lookups" {
  value = {
    "getProject"            = data.slipway_project.docs
    "getProjects"           = data.slipway_projects.docs
    "getProjectDomains"     = data.slipway_project_domains.docs
    "getEnvVars"            = data.slipway_env_vars.docs
    "getPromoteAliases"     = data.slipway_promote_aliases.docs
    "getCustomEnvironment"  = data.slipway_custom_environment.docs
    "getEdgeConfig"         = data.slipway_edge_config.docs
    "getProjectDomain"      = data.slipway_project_domain.docs
    "getEnvVar"             = data.slipway_env_var.docs
    "getEdgeConfigItem"     = data.slipway_edge_config_item.docs
    "getTeam"               = data.slipway_team.docs
    "getAccessGroup"        = data.slipway_access_group.docs
    "getBlobStore"          = data.slipway_blob_store.docs
    "getMicrofrontendGroup" = data.slipway_microfrontend_group.docs
    "getDeployment"         = data.slipway_deployment.docs
    "getDomainConfig"       = data.slipway_domain_config.docs
    "getDeployments"        = data.slipway_deployments.docs
  }
}
