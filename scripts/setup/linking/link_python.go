package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
)

// linkPackage adds an SDK to requirements.txt.
func linkPackage(_ context.Context, program *pulumirpc.ProgramInfo, path string) (string, error) {
	if tool := program.Options.AsMap()["toolchain"]; tool != nil && tool != "pip" {
		return "", fmt.Errorf("this host knows only pip; run `%s add ./%s`", tool, path)
	}
	manifest, err := os.ReadFile(filepath.Join(program.RootDirectory, path, "pyproject.toml"))
	if err != nil {
		return "", err
	}
	name := regexp.MustCompile(`(?m)^\s*name\s*=\s*"([^"]+)"`).FindSubmatch(manifest)
	if name == nil {
		return "", fmt.Errorf("pyproject.toml has no name")
	}
	file := filepath.Join(program.ProgramDirectory, "requirements.txt")
	text, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		return "", err
	}
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	if line := "./" + path; !slices.Contains(lines, line) {
		lines = append(lines, line)
	}
	err = os.WriteFile(file, []byte(strings.TrimLeft(strings.Join(lines, "\n"), "\n")+"\n"), 0o644)
	return fmt.Sprintf("import %s", strings.ReplaceAll(string(name[1]), "-", "_")), err
}
