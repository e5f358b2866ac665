package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"golang.org/x/mod/modfile"
)

// linkPackage replaces the module of an SDK in go.mod. `go mod tidy` adds the requirement when the program imports it.
func linkPackage(_ context.Context, program *pulumirpc.ProgramInfo, path string) (string, error) {
	manifest, err := os.ReadFile(filepath.Join(program.RootDirectory, path, "go.mod"))
	if err != nil {
		return "", err
	}
	module := modfile.ModulePath(manifest)
	file := filepath.Join(program.ProgramDirectory, "go.mod")
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	parsed, err := modfile.Parse(file, text, nil)
	if err != nil {
		return "", err
	}
	if err := parsed.AddReplace(module, "", "./"+path, ""); err != nil {
		return "", err
	}
	if text, err = parsed.Format(); err != nil {
		return "", err
	}
	packages, err := filepath.Glob(filepath.Join(program.RootDirectory, path, "*", "doc.go"))
	if err != nil || len(packages) == 0 {
		return "", errors.Join(err, errors.New("the SDK has no package"))
	}
	name := filepath.Base(filepath.Dir(packages[0]))
	return fmt.Sprintf("import %q", module+"/"+name), os.WriteFile(file, text, 0o644)
}
