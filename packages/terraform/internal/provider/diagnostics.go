package provider

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
)

// report adds an error of the service, each wrong field at its attribute.
func report(diagnostics *diag.Diagnostics, what string, err error, types map[string]attr.Type) {
	if err == nil {
		return
	}
	var refusal *problem
	if !errors.As(err, &refusal) {
		diagnostics.AddError("Cannot "+what, err.Error())
		return
	}
	title := fmt.Sprintf("Cannot %s: %d %s", what, refusal.Status, refusal.Code)
	for _, wrong := range refusal.Errors {
		detail := fmt.Sprintf("%s\n(request %s)", wrong.Message, refusal.RequestID)
		if at, isAttribute := findAttribute(wrong.Field, types); isAttribute {
			diagnostics.AddAttributeError(at, title, detail)
		} else {
			diagnostics.AddError(title, wrong.Field+": "+detail)
		}
	}
	if len(refusal.Errors) == 0 {
		diagnostics.AddError(title, fmt.Sprintf("%s\n(request %s)", refusal.Detail, refusal.RequestID))
	}
}

var fieldParts = regexp.MustCompile(`[^.\[\]]+`)

// findAttribute finds the attribute of a field such as name, budget.period or kbs[1].scopes.
func findAttribute(field string, types map[string]attr.Type) (path.Path, bool) {
	parts := fieldParts.FindAllString(field, -1)
	if len(parts) == 0 || types[parts[0]] == nil {
		return path.Empty(), false
	}
	at := path.Root(parts[0])
	object, isObject := types[parts[0]].(attr.TypeWithAttributeTypes)
	if isObject && len(parts) > 1 && object.AttributeTypes()[parts[1]] != nil {
		at = at.AtName(parts[1])
	}
	return at, true
}

// article gives “an API key” for “API key”.
func article(noun string) string {
	if strings.ContainsAny(noun[:1], "aAeEiIoOuU") {
		return "an " + noun
	}
	return "a " + noun
}
