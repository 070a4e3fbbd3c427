package provider

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
)

func TestThePredecessorsOfAKeyAreDeletedFirst(t *testing.T) {
	keyOf := func(predecessor string) func(http.ResponseWriter) {
		return func(answer http.ResponseWriter) { _, _ = fmt.Fprintf(answer, `{"rotated_from":%q}`, predecessor) }
	}
	chain := []func(http.ResponseWriter){keyOf("b"), keyOf("a"), keyOf("")}
	for _, example := range []struct {
		name    string
		answers []func(http.ResponseWriter)
		deleted []string
		code    string
	}{
		{"all", chain, []string{"a", "b", "c"}, ""},
		{"none after one that stays", append(slices.Clone(chain), refuse(409, "legal_hold", "")), []string{"a"}, "legal_hold"},
		{"those that are left", append(slices.Clone(chain), refuse(404, "not_found", "")), []string{"a", "b", "c"}, ""},
		{"those that are known", []func(http.ResponseWriter){keyOf("b"), refuse(404, "not_found", "")}, []string{"c"}, ""},
	} {
		t.Run(example.name, func(t *testing.T) {
			c, requests := serve(t, example.answers...)
			c.secrets = newIssuedSecrets()
			err := deleteKey(t.Context(), c, object{"id": "c"})
			if (err != nil || example.code != "") && !hasCode(err, example.code) {
				t.Error(err)
			}
			deleted := []string{}
			for _, request := range *requests {
				if request.Method == http.MethodDelete {
					deleted = append(deleted, request.URL.Path[len("/api/v1/api-keys/"):])
				}
			}
			if !slices.Equal(deleted, example.deleted) {
				t.Errorf("%v are deleted instead of %v", deleted, example.deleted)
			}
		})
	}
}
