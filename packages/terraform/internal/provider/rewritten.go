package provider

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// privateState is what Terraform keeps for the provider beside the attributes.
type privateState interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// The service answers some attributes in a form of its own, with defaults or normalised paths. Terraform wants them in
// the state as they are configured, so the service's form is remembered beside it: only when that is another one,
// somebody has changed the attribute.

// keepWritten leaves rewritten attributes in the state as they are written there, and remembers the service's form of
// those that were sent.
func (k *kind) keepWritten(ctx context.Context, private privateState, answer, sent object) diag.Diagnostics {
	var diagnostics diag.Diagnostics
	for _, name := range k.rewritten {
		if _, isSent := sent[name]; isSent {
			form, _ := json.Marshal(answer[name])
			diagnostics.Append(private.SetKey(ctx, name, form)...)
		}
		delete(answer, name)
	}
	return diagnostics
}

// showChanged leaves rewritten attributes as they are written, unless the service's form is not the one remembered.
func (k *kind) showChanged(ctx context.Context, private privateState, answer object) diag.Diagnostics {
	var diagnostics diag.Diagnostics
	for _, name := range k.rewritten {
		form, _ := json.Marshal(answer[name])
		remembered, found := private.GetKey(ctx, name)
		diagnostics.Append(found...)
		if bytes.Equal(form, remembered) {
			delete(answer, name)
			continue
		}
		diagnostics.Append(private.SetKey(ctx, name, form)...)
	}
	return diagnostics
}
