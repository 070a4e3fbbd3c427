package provider

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A key that is created before the settings could work longer than key_max_age_days allows.
func TestAccKeysOfTheModuleWaitForItsSettings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := newCommands(t, "LATCHKEY_URL="+w.url, "LATCHKEY_USER="+w.user)
	if err := os.CopyFS(filepath.Join(c.folder, "modules"), os.DirFS("../../modules")); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(c.folder, "main.tf"), `
module "handbook" {
  source       = "./modules/knowledge-base"
  name         = "Handbook"
  environments = { staging = {}, production = { live = true } }
  settings     = { key_max_age_days = -1 }
}
`)
	c.terraform("get")
	output, err := c.try("apply", "-auto-approve")
	if err == nil || !strings.Contains(output, "key_max_age_days must") {
		t.Fatalf("the settings are not refused: %s", output)
	}
	if keys := w.bodies(http.MethodPost, "/api-keys"); len(keys) != 0 {
		t.Errorf("%d keys are created without the settings", len(keys))
	}
	c.terraform("destroy", "-auto-approve")
}
