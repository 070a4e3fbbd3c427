package provider

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// decodeOnTo decodes an answer on to what an earlier one gave.
func decodeOnTo(t *testing.T, k *kind, before, answer string) tftypes.Value {
	t.Helper()
	prior := tftypes.Value{}
	for _, text := range []string{before, answer} {
		parsed, err := parseJSON(text)
		if err != nil {
			t.Fatal(err)
		}
		if prior, err = decodeObject(parsed.(map[string]any), k.types(), prior); err != nil {
			t.Fatal(err)
		}
	}
	return prior
}

func TestValuesSurviveTheWayThroughTerraform(t *testing.T) {
	text := `{"name":"a","scopes":["query","chat"],"budget":{"period":"day","cost":0.1},"filter":{"type":"in","value":[1,true,"x"],"key":"k"},` +
		`"self_rotation":{"grace_seconds":60},"rate_limit_per_minute":1000000}`
	decoded := decodeOnTo(t, apiKey, "{}", text)
	encoded, err := encodeObject(decoded, apiKey.types())
	parsed, _ := parseJSON(text)
	if err != nil || !meansSame(parsed, map[string]any(pick(encoded, append(apiKey.created, "kb_id"))), nil) {
		t.Errorf("%v, %v", encoded, err)
	}
}

func TestWhatMeansTheSameIsLeftAsItIsWritten(t *testing.T) {
	before := `{"expires_at":"2030-01-01T01:00:00+01:00","filter":{"key":"a","type":"eq","value":1.0},"scopes":["query","chat"]}`
	for _, answer := range []string{
		before,
		`{"expires_at":"2030-01-01T00:00:00.000Z","filter":{"type":"eq","value":1,"key":"a"},"scopes":["chat","query"]}`,
	} {
		if !decodeOnTo(t, apiKey, before, answer).Equal(decodeOnTo(t, apiKey, before, "{}")) {
			t.Errorf("%s changes something", answer)
		}
	}
	for _, answer := range []string{
		`{"expires_at":"2030-01-01T00:00:01.000Z"}`, `{"filter":{"type":"eq","value":2,"key":"a"}}`, `{"filter":null}`,
		`{"scopes":["query"]}`, `{"scopes":["query","feedback"]}`, `{"expires_at":null}`,
	} {
		if decodeOnTo(t, apiKey, before, answer).Equal(decodeOnTo(t, apiKey, before, "{}")) {
			t.Errorf("%s changes nothing", answer)
		}
	}
}

func TestAnAnswerOfAnotherTypeIsRefused(t *testing.T) {
	if _, err := decodeObject(object{"name": true}, apiKey.types(), tftypes.Value{}); err == nil {
		t.Error("it is taken")
	}
}
