package main

import (
	"slipway/sdk/go/slipway"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
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
		ctx.Export("projectId", web.ID())
		ctx.Export("challenge", apex.Verification)
		ctx.Export("found", pulumi.ToOutput(found.Framework))
		return nil
	})
}
