package provider

import (
	"context"
	"errors"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	data "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// errGone says that what was looked for does not exist any more.
var errGone = errors.New("it does not exist, or the credential does not see it")

// kind describes what the service manages: how Terraform names it, and by which requests it is read and changed.
// Requests that are as the API's rule is need no function.
type kind struct {
	name        string
	noun        string
	description string
	attributes  attributes
	// What only the data source has, because it changes by itself.
	observed map[string]data.Attribute
	// The path that it is created at, such as /kbs/{kb_id}/webhooks, and its own.
	collection, item string
	// What is sent when it is created, and what can be changed afterwards.
	created, changeable []string
	// Attributes that name it, in the order in which they stand in an id to import.
	identity []string
	// Whether the service issues a secret with it, in one answer only.
	hasSecret bool
	// Whether the resource manages only what is configured: the state has no value for what the service answers besides.
	isPartial bool
	// Attributes that the service answers in another form than they are written in.
	rewritten []string

	create func(context.Context, *client, values) (object, error)
	read   func(context.Context, *client, object) (object, error)
	update func(context.Context, *client, values) (object, error)
	remove func(context.Context, *client, object) error
	// What the answer of a read leads to, for the managed resource.
	settle func(ctx context.Context, c *client, answer object) (object, error)
	// Adapts an answer to the attributes; prior has what is known of it so far.
	adapt func(answer, prior object)
	plan  func(context.Context, *resource.ModifyPlanRequest, *resource.ModifyPlanResponse)
	check []resource.ConfigValidator
}

// values are those before a change, those planned, and those configured, which alone have what is write-only.
type values struct{ prior, planned, configured object }

// changed are the planned values of those names that differ from what was before.
func (v values) changed(names []string, types map[string]attr.Type) object {
	body := object{}
	for _, name := range names {
		value, isPlanned := v.planned[name]
		if isPlanned && !meansSame(v.prior[name], value, types[name]) {
			body[name] = value
		}
	}
	return body
}

// pick takes the values that are set.
func pick(from object, names []string) object {
	body := object{}
	for _, name := range names {
		if from[name] != nil {
			body[name] = from[name]
		}
	}
	return body
}

func (k *kind) types() map[string]attr.Type {
	types := map[string]attr.Type{}
	for name, attribute := range k.attributes {
		types[name] = attribute.GetType()
	}
	return types
}

// patch changes fields; without any it reads.
func (c *client) patch(ctx context.Context, path string, changed object) (object, error) {
	if len(changed) == 0 {
		return c.get(ctx, path)
	}
	return c.send(ctx, http.MethodPatch, path, changed, "")
}

func (k *kind) find(ctx context.Context, c *client, prior object) (object, error) {
	var answer object
	var err error
	if k.read != nil {
		answer, err = k.read(ctx, c, prior)
	} else {
		answer, err = c.get(ctx, fill(k.item, prior))
	}
	if err == nil && answer == nil {
		err = errGone
	}
	return answer, err
}

// findInList is for what has no path of its own to be read at.
func findInList(list, by string) func(context.Context, *client, object) (object, error) {
	return func(ctx context.Context, c *client, prior object) (object, error) {
		return c.find(ctx, fill(list, prior), func(row object) bool { return row.text(by) == prior.text(by) })
	}
}
