// Writes YAML programs in other languages: programs SCHEMA < programs.json. The input maps names to YAML programs, the
// output maps the names to the program in each language.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/blang/semver"
	"github.com/hashicorp/hcl/v2"
	java "github.com/pulumi/pulumi-java/pkg/codegen/java"
	"github.com/pulumi/pulumi-yaml/pkg/pulumiyaml"
	yaml "github.com/pulumi/pulumi-yaml/pkg/pulumiyaml/codegen"
	"github.com/pulumi/pulumi/pkg/v3/codegen/dotnet"
	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// The generator of each language, by the language of its code blocks.
var generators = map[string]func(*pcl.Program) (map[string][]byte, hcl.Diagnostics, error){
	"typescript": nodejs.GenerateProgram,
	"python":     python.GenerateProgram,
	"go":         golang.GenerateProgram,
	"csharp":     dotnet.GenerateProgram,
	"java":       java.GenerateProgram,
}

func main() {
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(file string) error {
	loader, err := newLoader(file)
	if err != nil {
		return err
	}
	var sources map[string]string
	if err := json.NewDecoder(os.Stdin).Decode(&sources); err != nil {
		return err
	}
	written := map[string]map[string]string{}
	for name, source := range sources {
		if written[name], err = inEachLanguage(name, source, loader); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return json.NewEncoder(os.Stdout).Encode(written)
}

func inEachLanguage(name, source string, loader schema.ReferenceLoader) (map[string]string, error) {
	template, problems, err := pulumiyaml.LoadYAMLBytes(name, []byte(source))
	if err != nil || problems.HasErrors() {
		return nil, fmt.Errorf("cannot be read: %v %v", problems, err)
	}
	programs := map[string]string{}
	for language, generate := range generators {
		// A generator changes the program that it gets, so each gets its own.
		program, problems, err := yaml.EjectProgram(template, loader)
		if err != nil || problems.HasErrors() {
			return nil, fmt.Errorf("cannot be bound: %v %v", problems, err)
		}
		files, problems, err := generate(program)
		if err != nil || problems.HasErrors() {
			return nil, fmt.Errorf("cannot be written in %s: %v %v", language, problems, err)
		}
		if len(files) != 1 {
			return nil, fmt.Errorf("is %d files in %s", len(files), language)
		}
		for _, contents := range files {
			programs[language] = string(contents)
		}
	}
	return programs, nil
}

// Loads one package, whose schema is in a file.
type loader struct{ bound *schema.Package }

func newLoader(file string) (*loader, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, err
	}
	languages := map[string]schema.Language{
		"nodejs": nodejs.Importer, "python": python.Importer, "go": golang.Importer, "csharp": dotnet.Importer,
		"java": java.Importer,
	}
	bound, err := schema.ImportSpec(spec, languages, schema.ValidationOptions{})
	if err != nil {
		return nil, err
	}
	return &loader{bound}, nil
}

func (l *loader) LoadPackage(name string, _ *semver.Version) (*schema.Package, error) {
	if name != l.bound.Name {
		return nil, fmt.Errorf("unknown package %s", name)
	}
	return l.bound, nil
}

func (l *loader) LoadPackageV2(_ context.Context, wanted *schema.PackageDescriptor) (*schema.Package, error) {
	return l.LoadPackage(wanted.Name, wanted.Version)
}

func (l *loader) LoadPackageReference(name string, version *semver.Version) (schema.PackageReference, error) {
	bound, err := l.LoadPackage(name, version)
	if err != nil {
		return nil, err
	}
	return bound.Reference(), nil
}

func (l *loader) LoadPackageReferenceV2(_ context.Context, wanted *schema.PackageDescriptor) (schema.PackageReference, error) {
	return l.LoadPackageReference(wanted.Name, wanted.Version)
}
