import pulumi
import pulumi_slipway as slipway

config = pulumi.Config()

web = slipway.Project("web", name="web", framework=config.get("framework") or "nextjs")
apex = slipway.ProjectDomain("apex", project=web.id, name="example.com")
slipway.ProjectDomain(
    "www", project=web.id, name=config.get("redirecting") or "www.example.com", redirect=apex.name
)
slipway.EnvVar(
    "secret", project=web.id, key="SECRET", value="canary-value", type="sensitive", target=["production"]
)
slipway.EnvVars(
    "many", project=web.id, variables={"A": "canary-a", "B": {"value": "canary-b", "type": "plain"}}
)
slipway.Deployment("built", project=web.id, redeploy="dpl_one", triggers=["one", {"two": [2]}])
slipway.Deployment("site", project=web.id, directory="site", environment={"KEY": "canary-key"})
slipway.Deployment("output", project=web.id, prebuilt="output")
slipway.Deployment("pushed", project="docs", ref="main", on_destroy="delete")
slipway.Promotion("live", project=web.id, deployment=config.get("deployment") or "dpl_one")

beta = slipway.Provider("beta", token="canary-any-team", team="beta")
slipway.Project("other", opts=pulumi.ResourceOptions(provider=beta))

pulumi.export("projectId", web.id)
pulumi.export("challenge", apex.verification)
pulumi.export("found", slipway.get_project_output(project="docs").framework)

lookups = {
    "get_project": {"project": "docs"},
    "get_projects": {"search": "doc"},
    "get_project_domains": {"project": "docs"},
    "get_env_vars": {"project": "docs"},
    "get_promote_aliases": {"project": "docs"},
    "get_custom_environment": {"project": "docs", "environment": "staging"},
    "get_edge_config": {"edge_config": "docs"},
    "get_project_domain": {"id": "docs/docs.test"},
    "get_env_var": {"id": "docs/K/preview"},
    "get_edge_config_item": {"id": "docs/K"},
    "get_team": {},
    "get_access_group": {"access_group": "docs"},
    "get_blob_store": {"blob_store": "docs"},
    "get_microfrontend_group": {"microfrontend_group": "docs"},
    "get_deployment": {"project": "docs", "id": "dpl_docs"},
    "get_deployments": {"project": "docs"},
    "get_domain_config": {"domain": "docs.test", "project": "docs"},
}
answers = {}
for name, arguments in lookups.items():
    answers[name] = vars(getattr(slipway, name)(**arguments))
    answers[name + "_output"] = getattr(slipway, name + "_output")(**arguments).apply(vars)
pulumi.export("lookups", answers)
