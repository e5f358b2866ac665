package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
	"github.com/your-organization/slipway/sdk/go/slipway"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		conf := config.New(ctx, "")
		given := func(key, usual string) pulumi.String {
			if value := conf.Get(key); value != "" {
				return pulumi.String(value)
			}
			return pulumi.String(usual)
		}
		web, err := slipway.NewProject(ctx, "web", &slipway.ProjectArgs{
			Name:      pulumi.String("web"),
			Framework: given("framework", "nextjs"),
		})
		if err != nil {
			return err
		}
		apex, err := slipway.NewProjectDomain(ctx, "apex", &slipway.ProjectDomainArgs{
			Project: web.ID(),
			Name:    pulumi.String("example.com"),
		})
		if err != nil {
			return err
		}
		if _, err := slipway.NewProjectDomain(ctx, "www", &slipway.ProjectDomainArgs{
			Project:  web.ID(),
			Name:     given("redirecting", "www.example.com"),
			Redirect: apex.Name,
		}); err != nil {
			return err
		}
		if _, err := slipway.NewEnvVar(ctx, "secret", &slipway.EnvVarArgs{
			Project: web.ID(),
			Key:     pulumi.String("SECRET"),
			Value:   pulumi.String("canary-value"),
			Type:    pulumi.String("sensitive"),
			Target:  pulumi.StringArray{pulumi.String("production")},
		}); err != nil {
			return err
		}
		if _, err := slipway.NewEnvVars(ctx, "many", &slipway.EnvVarsArgs{
			Project: web.ID(),
			Variables: pulumi.Map{
				"A": pulumi.String("canary-a"),
				"B": pulumi.Map{"value": pulumi.String("canary-b"), "type": pulumi.String("plain")},
			},
		}); err != nil {
			return err
		}
		if _, err := slipway.NewDeployment(ctx, "built", &slipway.DeploymentArgs{
			Project:  web.ID(),
			Redeploy: pulumi.String("dpl_one"),
			Triggers: pulumi.Array{
				pulumi.String("one"),
				pulumi.Map{"two": pulumi.Array{pulumi.Int(2)}},
			},
		}); err != nil {
			return err
		}
		if _, err := slipway.NewDeployment(ctx, "site", &slipway.DeploymentArgs{
			Project:     web.ID(),
			Directory:   pulumi.String("site"),
			Environment: pulumi.StringMap{"KEY": pulumi.String("canary-key")},
		}); err != nil {
			return err
		}
		if _, err := slipway.NewDeployment(ctx, "output", &slipway.DeploymentArgs{
			Project:  web.ID(),
			Prebuilt: pulumi.String("output"),
		}); err != nil {
			return err
		}
		if _, err := slipway.NewDeployment(ctx, "pushed", &slipway.DeploymentArgs{
			Project:   pulumi.String("docs"),
			Ref:       pulumi.String("main"),
			OnDestroy: pulumi.String("delete"),
		}); err != nil {
			return err
		}
		if _, err := slipway.NewPromotion(ctx, "live", &slipway.PromotionArgs{
			Project:    web.ID(),
			Deployment: given("deployment", "dpl_one"),
		}); err != nil {
			return err
		}
		beta, err := slipway.NewProvider(ctx, "beta", &slipway.ProviderArgs{
			Token: pulumi.String("canary-any-team"),
			Team:  pulumi.String("beta"),
		})
		if err != nil {
			return err
		}
		if _, err := slipway.NewProject(ctx, "other", nil, pulumi.Provider(beta)); err != nil {
			return err
		}
		found, err := slipway.LookupProject(ctx, &slipway.LookupProjectArgs{Project: "docs"})
		if err != nil {
			return err
		}
		answers, err := lookUp(ctx)
		if err != nil {
			return err
		}
		ctx.Export("lookups", answers)
		ctx.Export("projectId", web.ID())
		ctx.Export("challenge", apex.Verification)
		ctx.Export("found", pulumi.ToOutput(found.Framework))
		return nil
	})
}

// lookUp calls each look-up in both forms.
func lookUp(ctx *pulumi.Context) (pulumi.Map, error) {
	project, doc, staging, deployment, domain := "docs", "doc", "staging", "dpl_docs", "docs.test"
	docs := pulumi.String(project)
	answers := pulumi.Map{
		"getProjectOutput":        text(slipway.LookupProjectOutput(ctx, slipway.LookupProjectOutputArgs{Project: docs})),
		"getProjectsOutput":       text(slipway.GetProjectsOutput(ctx, slipway.GetProjectsOutputArgs{Search: pulumi.String(doc)})),
		"getProjectDomainsOutput": text(slipway.GetProjectDomainsOutput(ctx, slipway.GetProjectDomainsOutputArgs{Project: docs})),
		"getEnvVarsOutput":        text(slipway.LookupEnvVarsOutput(ctx, slipway.LookupEnvVarsOutputArgs{Project: docs})),
		"getPromoteAliasesOutput": text(slipway.GetPromoteAliasesOutput(ctx, slipway.GetPromoteAliasesOutputArgs{Project: docs})),
		"getCustomEnvironmentOutput": text(slipway.LookupCustomEnvironmentOutput(ctx,
			slipway.LookupCustomEnvironmentOutputArgs{Project: docs, Environment: pulumi.String(staging)})),
		"getEdgeConfigOutput": text(slipway.LookupEdgeConfigOutput(ctx,
			slipway.LookupEdgeConfigOutputArgs{EdgeConfig: docs})),
		"getProjectDomainOutput": text(slipway.LookupProjectDomainOutput(ctx,
			slipway.LookupProjectDomainOutputArgs{Id: pulumi.String("docs/docs.test")})),
		"getEnvVarOutput": text(slipway.LookupEnvVarOutput(ctx,
			slipway.LookupEnvVarOutputArgs{Id: pulumi.String("docs/K/preview")})),
		"getEdgeConfigItemOutput": text(slipway.LookupEdgeConfigItemOutput(ctx,
			slipway.LookupEdgeConfigItemOutputArgs{Id: pulumi.String("docs/K")})),
		"getTeamOutput": text(slipway.GetTeamOutput(ctx)),
		"getAccessGroupOutput": text(slipway.LookupAccessGroupOutput(ctx,
			slipway.LookupAccessGroupOutputArgs{AccessGroup: docs})),
		"getBlobStoreOutput": text(slipway.LookupBlobStoreOutput(ctx,
			slipway.LookupBlobStoreOutputArgs{BlobStore: docs})),
		"getMicrofrontendGroupOutput": text(slipway.LookupMicrofrontendGroupOutput(ctx,
			slipway.LookupMicrofrontendGroupOutputArgs{MicrofrontendGroup: docs})),
		"getDeploymentOutput": text(slipway.LookupDeploymentOutput(ctx,
			slipway.LookupDeploymentOutputArgs{Project: docs, Id: pulumi.String(deployment)})),
		"getDeploymentsOutput": text(slipway.GetDeploymentsOutput(ctx, slipway.GetDeploymentsOutputArgs{Project: docs})),
		"getDomainConfigOutput": text(slipway.GetDomainConfigOutput(ctx,
			slipway.GetDomainConfigOutputArgs{Domain: pulumi.String(domain), Project: docs})),
	}
	plain := map[string]func() (any, error){
		"getProject":  func() (any, error) { return slipway.LookupProject(ctx, &slipway.LookupProjectArgs{Project: "docs"}) },
		"getProjects": func() (any, error) { return slipway.GetProjects(ctx, &slipway.GetProjectsArgs{Search: &doc}) },
		"getProjectDomains": func() (any, error) {
			return slipway.GetProjectDomains(ctx, &slipway.GetProjectDomainsArgs{Project: "docs"})
		},
		"getEnvVars": func() (any, error) { return slipway.LookupEnvVars(ctx, &slipway.LookupEnvVarsArgs{Project: "docs"}) },
		"getPromoteAliases": func() (any, error) {
			return slipway.GetPromoteAliases(ctx, &slipway.GetPromoteAliasesArgs{Project: "docs"})
		},
		"getCustomEnvironment": func() (any, error) {
			return slipway.LookupCustomEnvironment(ctx,
				&slipway.LookupCustomEnvironmentArgs{Project: "docs", Environment: staging})
		},
		"getEdgeConfig": func() (any, error) {
			return slipway.LookupEdgeConfig(ctx, &slipway.LookupEdgeConfigArgs{EdgeConfig: "docs"})
		},
		"getProjectDomain": func() (any, error) {
			return slipway.LookupProjectDomain(ctx, &slipway.LookupProjectDomainArgs{Id: "docs/docs.test"})
		},
		"getEnvVar": func() (any, error) {
			return slipway.LookupEnvVar(ctx, &slipway.LookupEnvVarArgs{Id: "docs/K/preview"})
		},
		"getEdgeConfigItem": func() (any, error) {
			return slipway.LookupEdgeConfigItem(ctx, &slipway.LookupEdgeConfigItemArgs{Id: "docs/K"})
		},
		"getTeam": func() (any, error) { return slipway.GetTeam(ctx) },
		"getAccessGroup": func() (any, error) {
			return slipway.LookupAccessGroup(ctx, &slipway.LookupAccessGroupArgs{AccessGroup: "docs"})
		},
		"getBlobStore": func() (any, error) {
			return slipway.LookupBlobStore(ctx, &slipway.LookupBlobStoreArgs{BlobStore: "docs"})
		},
		"getMicrofrontendGroup": func() (any, error) {
			return slipway.LookupMicrofrontendGroup(ctx, &slipway.LookupMicrofrontendGroupArgs{MicrofrontendGroup: "docs"})
		},
		"getDeployment": func() (any, error) {
			return slipway.LookupDeployment(ctx, &slipway.LookupDeploymentArgs{Project: "docs", Id: &deployment})
		},
		"getDeployments": func() (any, error) {
			return slipway.GetDeployments(ctx, &slipway.GetDeploymentsArgs{Project: "docs"})
		},
		"getDomainConfig": func() (any, error) {
			return slipway.GetDomainConfig(ctx, &slipway.GetDomainConfigArgs{Domain: domain, Project: &project})
		},
	}
	for name, call := range plain {
		answer, err := call()
		if err != nil {
			return nil, err
		}
		answers[name] = text(pulumi.ToOutput(answer))
	}
	return answers, nil
}

// text is an answer as JSON.
func text(answer pulumi.Output) pulumi.StringOutput {
	return pulumi.JSONMarshal(answer)
}
