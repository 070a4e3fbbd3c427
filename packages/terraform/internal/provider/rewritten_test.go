package provider

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

type privateMap map[string][]byte

func (p privateMap) GetKey(_ context.Context, key string) ([]byte, diag.Diagnostics) {
	return p[key], nil
}

func (p privateMap) SetKey(_ context.Context, key string, value []byte) diag.Diagnostics {
	p[key] = value
	return nil
}

func TestAnUpdateOfAnotherAttributeDoesNotHideAChange(t *testing.T) {
	private := privateMap{}
	answered := func(path string) object { return object{"config": object{"path": path}} }
	source.keepWritten(t.Context(), private, answered("docs"), object{"config": object{"path": "docs/"}})
	read := answered("docs")
	source.showChanged(t.Context(), private, read)
	if read["config"] != nil {
		t.Error("what was sent is shown in another form")
	}
	// Somebody has changed it after this run has read it.
	source.keepWritten(t.Context(), private, answered("other"), object{})
	read = answered("other")
	source.showChanged(t.Context(), private, read)
	if read["config"] == nil {
		t.Error("what somebody has changed is hidden")
	}
}
