package provider

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Attributes have the names and shapes of the API's fields, so that values of Terraform and JSON are
// converted into each other by their types alone. What the API has as free JSON is text of JSON here.

// parseJSON keeps numbers as they are written.
func parseJSON(text string) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
	decoder.UseNumber()
	var value any
	err := decoder.Decode(&value)
	return value, err
}

// encodeObject converts the values of a resource. Unknown ones are left out, null ones are nil.
func encodeObject(value tftypes.Value, types map[string]attr.Type) (object, error) {
	var parts map[string]tftypes.Value
	if err := value.As(&parts); err != nil {
		return nil, err
	}
	result := object{}
	for name, part := range parts {
		if !part.IsFullyKnown() {
			continue
		}
		encoded, err := encode(part, types[name])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		result[name] = encoded
	}
	return result, nil
}

func encode(value tftypes.Value, of attr.Type) (any, error) {
	if value.IsNull() {
		return nil, nil
	}
	switch of := of.(type) {
	case jsontypes.NormalizedType:
		var text string
		if err := value.As(&text); err != nil {
			return nil, err
		}
		return parseJSON(text)
	case attr.TypeWithAttributeTypes:
		parts, err := encodeObject(value, of.AttributeTypes())
		// An optional part that is not set is left out: null means something else to the service.
		for name, part := range parts {
			if part == nil {
				delete(parts, name)
			}
		}
		return map[string]any(parts), err
	case basetypes.MapType:
		var parts map[string]tftypes.Value
		if err := value.As(&parts); err != nil {
			return nil, err
		}
		result := map[string]any{}
		for name, part := range parts {
			encoded, err := encode(part, of.ElemType)
			if err != nil {
				return nil, err
			}
			result[name] = encoded
		}
		return result, nil
	case attr.TypeWithElementType:
		var parts []tftypes.Value
		if err := value.As(&parts); err != nil {
			return nil, err
		}
		result := []any{}
		for _, part := range parts {
			encoded, err := encode(part, of.ElementType())
			if err != nil {
				return nil, err
			}
			result = append(result, encoded)
		}
		return result, nil
	case basetypes.StringType:
		var text string
		err := value.As(&text)
		return text, err
	case basetypes.BoolType:
		var isTrue bool
		err := value.As(&isTrue)
		return isTrue, err
	default:
		var number big.Float
		err := value.As(&number)
		return json.Number(number.Text('g', -1)), err
	}
}

// decodeObject converts an answer. What the answer does not have is taken from before; a value that means the same
// as the one before stays as it is written there.
func decodeObject(answer object, types map[string]attr.Type, before tftypes.Value) (tftypes.Value, error) {
	former := map[string]tftypes.Value{}
	if !before.IsNull() {
		if err := before.As(&former); err != nil {
			return before, err
		}
	}
	parts := map[string]tftypes.Value{}
	kinds := map[string]tftypes.Type{}
	for name, of := range types {
		kinds[name] = of.TerraformType(nil)
		prior, isThere := former[name]
		found, isAnswered := answer[name]
		if isThere && prior.IsFullyKnown() {
			known, err := encode(prior, of)
			if err == nil && (!isAnswered || meansSame(known, found, of)) {
				parts[name] = prior
				continue
			}
		}
		decoded, err := decode(found, of)
		if err != nil {
			return before, fmt.Errorf("%s: %w", name, err)
		}
		parts[name] = decoded
	}
	return tftypes.NewValue(tftypes.Object{AttributeTypes: kinds}, parts), nil
}

func decode(value any, of attr.Type) (tftypes.Value, error) {
	kind := of.TerraformType(nil)
	if value == nil {
		return tftypes.NewValue(kind, nil), nil
	}
	if _, isJSON := of.(jsontypes.NormalizedType); isJSON {
		text, err := json.Marshal(value)
		return tftypes.NewValue(kind, string(text)), err
	}
	switch value := value.(type) {
	case map[string]any:
		switch of := of.(type) {
		case attr.TypeWithAttributeTypes:
			return decodeObject(value, of.AttributeTypes(), tftypes.NewValue(kind, nil))
		case basetypes.MapType:
			parts := map[string]tftypes.Value{}
			for name, part := range value {
				decoded, err := decode(part, of.ElemType)
				if err != nil {
					return decoded, err
				}
				parts[name] = decoded
			}
			return tftypes.NewValue(kind, parts), nil
		}
	case []any:
		if of, isList := of.(attr.TypeWithElementType); isList {
			parts := []tftypes.Value{}
			for _, part := range value {
				decoded, err := decode(part, of.ElementType())
				if err != nil {
					return decoded, err
				}
				parts = append(parts, decoded)
			}
			return tftypes.NewValue(kind, parts), nil
		}
	case json.Number:
		if number, ok := new(big.Float).SetString(value.String()); ok && kind.Is(tftypes.Number) {
			return tftypes.NewValue(kind, number), nil
		}
	case bool:
		if kind.Is(tftypes.Bool) {
			return tftypes.NewValue(kind, value), nil
		}
	case string:
		if kind.Is(tftypes.String) {
			return tftypes.NewValue(kind, value), nil
		}
	}
	return tftypes.Value{}, fmt.Errorf("the service answered a value of another type; use the provider of its release")
}

// meansSame compares values as the service does: instants in any notation, objects without regard to
// parts that are null.
func meansSame(one, other any, of attr.Type) bool {
	switch one := one.(type) {
	case string:
		other, ok := other.(string)
		if !ok || one == other {
			return ok
		}
		first, err := time.Parse(time.RFC3339, one)
		second, err2 := time.Parse(time.RFC3339, other)
		return err == nil && err2 == nil && first.Equal(second)
	case json.Number:
		other, ok := other.(json.Number)
		if !ok {
			return false
		}
		first, _ := one.Float64()
		second, _ := other.Float64()
		return first == second
	case map[string]any:
		other, ok := other.(map[string]any)
		if !ok {
			return false
		}
		for name := range other {
			if _, isThere := one[name]; !isThere && other[name] != nil {
				return false
			}
		}
		for name, part := range one {
			if !meansSame(part, other[name], nil) {
				return false
			}
		}
		return true
	case []any:
		other, ok := other.([]any)
		if !ok || len(one) != len(other) {
			return false
		}
		if _, isSet := of.(basetypes.SetType); isSet {
			return containsAll(one, other)
		}
		for n := range one {
			if !meansSame(one[n], other[n], nil) {
				return false
			}
		}
		return true
	default:
		return reflect.DeepEqual(one, other)
	}
}

func containsAll(all, some []any) bool {
	for _, part := range some {
		isFound := false
		for _, candidate := range all {
			isFound = isFound || meansSame(candidate, part, nil)
		}
		if !isFound {
			return false
		}
	}
	return true
}
