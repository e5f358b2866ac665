package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
	"github.com/your-organization/slipway/sdk/go/slipway"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		conf := config.New(ctx, "")

		quickstart, err := slipway.NewProject(ctx, "quickstart", &slipway.ProjectArgs{
			Name:            pulumi.String("quickstart-go"),
			Framework:       pulumi.String("nextjs"),
			NodeVersion:     pulumi.String("22.x"),
			BuildCommand:    pulumi.String("npm run build"),
			OutputDirectory: pulumi.String(".next"),
			SsoProtection: &slipway.ProjectSsoProtectionArgs{
				DeploymentType: pulumi.String("preview"),
			},
		})
		if err != nil {
			return err
		}

		apex, err := slipway.NewProjectDomain(ctx, "apex", &slipway.ProjectDomainArgs{
			Project: quickstart.ID(),
			Name:    pulumi.String("go.example.com"),
		})
		if err != nil {
			return err
		}
		_, err = slipway.NewProjectDomain(ctx, "www", &slipway.ProjectDomainArgs{
			Project:            quickstart.ID(),
			Name:               pulumi.String("www.go.example.com"),
			Redirect:           apex.Name,
			RedirectStatusCode: pulumi.Int(308),
		})
		if err != nil {
			return err
		}

		_, err = slipway.NewEnvVar(ctx, "site-url", &slipway.EnvVarArgs{
			Project: quickstart.ID(),
			Key:     pulumi.String("SITE_URL"),
			Value:   pulumi.Sprintf("https://%s", apex.Name),
			Type:    pulumi.String("plain"),
			Target:  pulumi.ToStringArray([]string{"production"}),
		})
		if err != nil {
			return err
		}
		var secret pulumi.StringPtrInput = pulumi.String("change-me")
		if conf.Get("sessionSecret") != "" {
			secret = conf.GetSecret("sessionSecret")
		}
		_, err = slipway.NewEnvVar(ctx, "session-secret", &slipway.EnvVarArgs{
			Project: quickstart.ID(),
			Key:     pulumi.String("SESSION_SECRET"),
			Value:   secret,
			Type:    pulumi.String("sensitive"),
			Target:  pulumi.ToStringArray([]string{"production"}),
		})
		if err != nil {
			return err
		}
		_, err = slipway.NewEnvVar(ctx, "feature-flags", &slipway.EnvVarArgs{
			Project:   quickstart.ID(),
			Key:       pulumi.String("FEATURE_FLAGS"),
			Value:     pulumi.String("new-checkout"),
			Type:      pulumi.String("plain"),
			Target:    pulumi.ToStringArray([]string{"preview"}),
			GitBranch: pulumi.String("checkout"),
		})
		if err != nil {
			return err
		}

		ctx.Export("projectId", quickstart.ID())
		// Publish one of these records to verify the domain.
		ctx.Export("challenges", apex.Verification)
		return nil
	})
}
