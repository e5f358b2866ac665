// Generates the .NET SDK from a package schema: dotnet-sdk SCHEMA LOGO FOLDER. The vendor's CLI uses a language host for
// this, but no registry of modules has the sources of that host.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

	"github.com/pulumi/pulumi/pkg/v3/codegen/dotnet"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

func main() {
	if err := generate(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func generate(file, logo, folder string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return err
	}
	// The generator downloads the logo from an address, so a server provides the file.
	logos := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		http.ServeFile(response, request, logo)
	}))
	defer logos.Close()
	spec.LogoURL = logos.URL
	bound, err := schema.ImportSpec(spec, map[string]schema.Language{"csharp": dotnet.Importer}, schema.ValidationOptions{})
	if err != nil {
		return err
	}
	files, err := dotnet.GeneratePackage("pulumi", bound, nil, nil)
	if err != nil {
		return err
	}
	for name, contents := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, contents, 0o644); err != nil {
			return err
		}
	}
	return nil
}
