package provider

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../.."

func TestAccDocumentationIsUpToDate(t *testing.T) {
	if os.Getenv("TF_ACC") == "" {
		t.Skip("set TF_ACC=1")
	}
	absolute, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	fresh := t.TempDir()
	relative, err := filepath.Rel(absolute, fresh)
	if err != nil {
		t.Fatal(err)
	}
	generate := exec.Command("go", "tool", "-modfile=tools/go.mod", "tfplugindocs", "generate",
		"--provider-name=latchkey", "--rendered-provider-name=Latchkey", "--rendered-website-dir="+relative)
	generate.Dir = root
	if output, err := generate.CombinedOutput(); err != nil {
		t.Fatalf("%s\n%s", err, output)
	}
	expected, found := readFolder(t, fresh), readFolder(t, filepath.Join(root, "docs"))
	for path, content := range expected {
		if !bytes.Equal(content, found[path]) {
			t.Errorf("docs/%s is stale: run go generate ./...", path)
		}
	}
	if len(found) != len(expected) || len(expected) < 2*len(kinds) {
		t.Errorf("docs has %d pages instead of %d: run go generate ./...", len(found), len(expected))
	}
}

func readFolder(t *testing.T, folder string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err == nil {
			all[name], err = os.ReadFile(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Together the examples are one configuration, except for what other providers have.
func TestAccExamplesAreValid(t *testing.T) {
	if os.Getenv("TF_ACC") == "" {
		t.Skip("set TF_ACC=1")
	}
	c := newCommands(t)
	examples := readFolder(t, filepath.Join(root, "examples"))
	for path, content := range examples {
		if filepath.Ext(path) != ".tf" {
			continue
		}
		ours, _, _ := strings.Cut(string(content), "# What stores it")
		writeFile(t, filepath.Join(c.folder, strings.ReplaceAll(path, "/", "-")), ours)
	}
	c.terraform("validate")
	for _, k := range kinds {
		for _, path := range []string{"resources/latchkey_" + k.name + "/resource.tf", "resources/latchkey_" + k.name + "/import.sh", "data-sources/latchkey_" + k.name + "/data-source.tf"} {
			if len(examples[path]) == 0 {
				t.Errorf("there is no example %s", path)
			}
		}
	}
	for _, folder := range []string{"examples", "modules"} {
		if output, err := exec.Command("terraform", "fmt", "-check", "-recursive", filepath.Join(root, folder)).CombinedOutput(); err != nil {
			t.Errorf("run terraform fmt -recursive: %s", output)
		}
	}
}
