package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
)

// linkPackage adds an SDK to package.json.
func linkPackage(ctx context.Context, program *pulumirpc.ProgramInfo, path string) (string, error) {
	manifest, err := os.ReadFile(filepath.Join(program.RootDirectory, path, "package.json"))
	if err != nil {
		return "", err
	}
	var sdk struct{ Name string }
	if err := json.Unmarshal(manifest, &sdk); err != nil {
		return "", err
	}
	// A script compiles the SDK after its installation. npm 12 runs the script only if it is allowed.
	command := exec.CommandContext(ctx, "npm", "pkg", "set", "--json",
		fmt.Sprintf("dependencies[%s]=%q", sdk.Name, "file:"+path),
		fmt.Sprintf("allowScripts[file:%s]=true", path))
	command.Dir = program.ProgramDirectory
	if output, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm pkg set: %w: %s", err, output)
	}
	return fmt.Sprintf("import * as sdk from %q;", sdk.Name), nil
}
