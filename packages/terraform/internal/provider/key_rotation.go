package provider

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	data "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// A key that is rotated as often as this is followed no further.
const maxRotations = 100

var observedKey = map[string]data.Attribute{
	"active":       data.BoolAttribute{Computed: true, MarkdownDescription: "Whether it can be used: it is neither revoked nor expired."},
	"last_used_at": data.StringAttribute{Computed: true, MarkdownDescription: "When it was used last."},
	"rotated_to":   data.StringAttribute{Computed: true, MarkdownDescription: "Its successor."},
}

func expiresAt() schema.StringAttribute {
	return keptText("When it expires, such as `2099-12-31T00:00:00Z`. Without it never, or as the service's policy says.")
}

// What is created or imported has this version of its secret.
const firstVersion = 1

// rotates says whether another secret is wanted.
func (v values) rotates() bool {
	before := v.prior["secret_version"]
	if before == nil {
		before = json.Number(fmt.Sprint(firstVersion))
	}
	return !meansSame(before, v.planned["secret_version"], nil)
}

func secretVersion(what string) schema.Int64Attribute {
	return schema.Int64Attribute{
		Optional: true, Computed: true, Default: int64default.StaticInt64(firstVersion),
		MarkdownDescription: what + " Bind the version of what stores the secret to it (`…_wo_version`), so that both change together.",
	}
}

func withRotation(all attributes) attributes {
	all["secret_version"] = secretVersion("Another number rotates the key: a successor with the same settings takes its place, under an id of its own.")
	all["rotation_grace_seconds"] = number("How long the old key still works after a rotation; a day by default, 0 stops it at once.")
	return all
}

// planRotation says which values a rotation changes.
func planRotation(ctx context.Context, request *resource.ModifyPlanRequest, response *resource.ModifyPlanResponse) {
	if request.State.Raw.IsNull() {
		return
	}
	var before, after types.Int64
	response.Diagnostics.Append(request.State.GetAttribute(ctx, path.Root("secret_version"), &before)...)
	response.Diagnostics.Append(request.Plan.GetAttribute(ctx, path.Root("secret_version"), &after)...)
	if before.IsNull() {
		before = types.Int64Value(firstVersion)
	}
	if before.Equal(after) {
		return
	}
	for _, name := range []string{"id", "prefix", "created_at"} {
		response.Diagnostics.Append(response.Plan.SetAttribute(ctx, path.Root(name), types.StringUnknown())...)
	}
	var configured types.String
	response.Diagnostics.Append(request.Config.GetAttribute(ctx, path.Root("expires_at"), &configured)...)
	if configured.IsNull() {
		response.Diagnostics.Append(response.Plan.SetAttribute(ctx, path.Root("expires_at"), types.StringUnknown())...)
	}
}

// createKey creates a key with an Idempotency-Key that is made of what is configured. If a run is interrupted before
// Terraform knows of the key, the next one gets the same key with another secret, and not a second key.
func createKey(k *kind, collection func(planned object) string) func(context.Context, *client, values) (object, error) {
	return func(ctx context.Context, c *client, now values) (object, error) {
		at := fill(collection(now.planned), now.planned)
		body := pick(now.planned, k.created)
		text, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(append([]byte(at+"\n"), text...))
		name := "terraform-" + hex.EncodeToString(sum[:])
		if !c.secrets.claim(name) {
			return c.create(ctx, at, body)
		}
		answer, err := c.createNamed(ctx, at, body, name)
		// The key that was created so has been rotated since, and works only for the rest of its grace period.
		if answer.text("rotated_to") != "" {
			return c.create(ctx, at, body)
		}
		return answer, err
	}
}

func updateKey(k *kind) func(context.Context, *client, values) (object, error) {
	return func(ctx context.Context, c *client, now values) (object, error) {
		if !now.rotates() {
			return c.patch(ctx, fill(k.item, now.prior), now.changed(k.changeable, k.types()))
		}
		successor, err := rotateKey(ctx, c, now)
		if err != nil {
			return nil, err
		}
		// Its settings are those of the old key, except for what the plan says.
		now.prior = successor
		changed := now.changed(k.changeable, k.types())
		if len(changed) == 0 {
			return successor, nil
		}
		answer, err := c.patch(ctx, fill(k.item, successor), changed)
		if err != nil {
			return successor, err
		}
		answer["api_key"] = successor["api_key"]
		return answer, nil
	}
}

// rotateKey creates the successor. If an earlier attempt was interrupted, it gets that one's successor with another
// secret; if that is used, the successor is rotated in its turn.
func rotateKey(ctx context.Context, c *client, now values) (object, error) {
	body := object{}
	if grace := now.planned["rotation_grace_seconds"]; grace != nil {
		body["grace_period_seconds"] = grace
	}
	rotate := func(id string) (object, error) {
		name := fmt.Sprintf("terraform-%s-%v", id, now.planned["secret_version"])
		return c.send(ctx, http.MethodPost, fill("/api-keys/{id}/rotate", object{"id": id}), body, name)
	}
	id := now.prior.text("id")
	for range maxRotations {
		key, err := c.get(ctx, fill("/api-keys/{id}", object{"id": id}))
		if err != nil {
			return nil, err
		}
		// This key may be the successor of an interrupted attempt already.
		if before := key.text("rotated_from"); before != "" {
			if answer, err := rotate(before); err == nil {
				return answer, nil
			}
		}
		answer, err := rotate(id)
		if !hasCode(err, "already_rotated") && !hasCode(err, "idempotency_conflict") {
			return answer, err
		}
		if next := key.text("rotated_to"); next != "" {
			id = next
		}
	}
	return nil, fmt.Errorf("the key was rotated more than %d times", maxRotations)
}

// followRotation finds the successor of a key that was rotated outside Terraform. A revoked key never works again, and
// one whose successor was deleted cannot be rotated again, so both count as gone.
func followRotation(ctx context.Context, c *client, key object) (object, error) {
	for range maxRotations {
		next := key.text("rotated_to")
		if next == "" {
			break
		}
		successor, err := c.get(ctx, fill("/api-keys/{id}", object{"id": next}))
		if hasCode(err, "not_found") {
			return nil, errGone
		}
		if err != nil {
			return nil, err
		}
		key = successor
	}
	if key.text("state") == "deactivated" {
		return nil, errGone
	}
	return key, nil
}

// deleteKey deletes a key, and its predecessors in their grace periods. The oldest one goes first, so that the next run
// finds what is left if this one fails.
func deleteKey(ctx context.Context, c *client, prior object) error {
	id := prior.text("id")
	// A replacement that is created first can be the same key, with another secret: see createKey.
	if _, isIssued := c.secrets.find(id); isIssued {
		return nil
	}
	paths := []string{}
	for id != "" && len(paths) < maxRotations {
		at := fill("/api-keys/{id}", object{"id": id})
		key, err := c.get(ctx, at)
		if hasCode(err, "not_found") {
			break
		}
		if err != nil {
			return err
		}
		paths = append(paths, at)
		id = key.text("rotated_from")
	}
	for _, at := range slices.Backward(paths) {
		if _, err := c.send(ctx, http.MethodDelete, at, nil, ""); err != nil && !hasCode(err, "not_found") {
			return err
		}
	}
	return nil
}
