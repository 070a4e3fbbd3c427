// The Terraform provider for Latchkey.
package main

//go:generate go tool -modfile=tools/go.mod tfplugindocs generate --provider-name=latchkey --rendered-provider-name=Latchkey

import (
	"context"
	"flag"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/latchkey/terraform-provider-latchkey/internal/provider"
)

// version is set by the linker in releases.
var version = "dev"

func main() {
	var debug bool
	flag.BoolVar(&debug, "debug", false, "wait for a debugger")
	flag.Parse()
	err := providerserver.Serve(context.Background(), provider.New(version), providerserver.ServeOpts{
		Address: "registry.terraform.io/latchkey/latchkey",
		Debug:   debug,
	})
	if err != nil {
		log.Fatal(err)
	}
}
