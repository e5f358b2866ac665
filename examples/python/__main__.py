import pulumi
import pulumi_slipway as slipway

config = pulumi.Config()

quickstart = slipway.Project(
    "quickstart",
    name="quickstart-python",
    framework="nextjs",
    node_version="22.x",
    build_command="npm run build",
    output_directory=".next",
    sso_protection={"deployment_type": "preview"},
)

apex = slipway.ProjectDomain("apex", project=quickstart.id, name="python.example.com")
slipway.ProjectDomain(
    "www",
    project=quickstart.id,
    name="www.python.example.com",
    redirect=apex.name,
    redirect_status_code=308,
)

slipway.EnvVar(
    "site-url",
    project=quickstart.id,
    key="SITE_URL",
    value=pulumi.Output.concat("https://", apex.name),
    type="plain",
    target=["production"],
)
slipway.EnvVar(
    "session-secret",
    project=quickstart.id,
    key="SESSION_SECRET",
    value=config.get_secret("sessionSecret") or "change-me",
    type="sensitive",
    target=["production"],
)
slipway.EnvVar(
    "feature-flags",
    project=quickstart.id,
    key="FEATURE_FLAGS",
    value="new-checkout",
    type="plain",
    target=["preview"],
    git_branch="checkout",
)

pulumi.export("projectId", quickstart.id)
# Publish one of these records to verify the domain.
pulumi.export("challenges", apex.verification)
