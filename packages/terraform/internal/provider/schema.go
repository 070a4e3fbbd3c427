package provider

import (
	"fmt"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	data "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/boolplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

type (
	attributes      = map[string]schema.Attribute
	textAttribute   = schema.StringAttribute
	validatorOfText = validator.String
)

var textType = types.StringType

// The service removes white space around names, so Terraform would see another name than it sent.
var trimmed = stringvalidator.RegexMatches(regexp.MustCompile(`^\S(.*\S)?$`), "must not be empty, or begin or end with white space")

func text(description string, validators ...validator.String) schema.StringAttribute {
	return schema.StringAttribute{Optional: true, MarkdownDescription: description, Validators: validators}
}

func requiredText(description string, validators ...validator.String) schema.StringAttribute {
	return schema.StringAttribute{Required: true, MarkdownDescription: description, Validators: validators}
}

// fixedText cannot be changed afterwards.
func fixedText(description string, validators ...validator.String) schema.StringAttribute {
	attribute := requiredText(description, validators...)
	attribute.PlanModifiers = []planmodifier.String{stringplanmodifier.RequiresReplace()}
	return attribute
}

// keptText is what the service says where the configuration does not.
func keptText(description string, validators ...validator.String) schema.StringAttribute {
	attribute := text(description, validators...)
	attribute.Computed = true
	attribute.PlanModifiers = []planmodifier.String{stringplanmodifier.UseStateForUnknown()}
	return attribute
}

// computedText is decided by the service once and for all.
func computedText(description string) schema.StringAttribute {
	return schema.StringAttribute{Computed: true, MarkdownDescription: description, PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()}}
}

func fixedJSON(description string) schema.StringAttribute {
	attribute := freeJSON(description)
	attribute.PlanModifiers = []planmodifier.String{stringplanmodifier.RequiresReplace()}
	return attribute
}

// freeJSON is what has no fixed shape in the API.
func freeJSON(description string) schema.StringAttribute {
	return schema.StringAttribute{Optional: true, CustomType: jsontypes.NormalizedType{}, MarkdownDescription: description}
}

func number(description string) schema.Int64Attribute {
	return schema.Int64Attribute{Optional: true, MarkdownDescription: description}
}

func texts(description string) schema.SetAttribute {
	return schema.SetAttribute{Optional: true, ElementType: textType, MarkdownDescription: description}
}

func keptTexts(description string) schema.SetAttribute {
	attribute := texts(description)
	attribute.Computed = true
	attribute.PlanModifiers = []planmodifier.Set{setplanmodifier.UseStateForUnknown()}
	return attribute
}

// textsOrNone are none where the configuration does not say it.
func textsOrNone(description string) schema.SetAttribute {
	attribute := texts(description)
	attribute.Computed = true
	attribute.Default = setdefault.StaticValue(types.SetValueMust(textType, nil))
	return attribute
}

func fixedTexts(description string) schema.SetAttribute {
	attribute := texts(description)
	attribute.Optional, attribute.Required = false, true
	attribute.PlanModifiers = []planmodifier.Set{setplanmodifier.RequiresReplace()}
	return attribute
}

func fixedFlag(description string) schema.BoolAttribute {
	return schema.BoolAttribute{
		Optional: true, Computed: true, MarkdownDescription: description,
		PlanModifiers: []planmodifier.Bool{boolplanmodifier.UseStateForUnknown(), boolplanmodifier.RequiresReplaceIfConfigured()},
	}
}

func kbID() schema.StringAttribute { return fixedText("The id of the knowledge base.") }

func id() schema.StringAttribute { return computedText("The id that the service has given it.") }

func createdAt() schema.StringAttribute { return computedText("When it was created.") }

// budget limits what a key or an end user may use.
func budget(description string) schema.SingleNestedAttribute {
	return schema.SingleNestedAttribute{
		Optional: true, MarkdownDescription: description,
		Attributes: attributes{
			"period":   requiredText("`day` or `month`, of UTC.", stringvalidator.OneOf("day", "month")),
			"messages": number("Answered questions. Set one of `messages`, `tokens` and `cost`."),
			"tokens":   number("Tokens of questions and answers together."),
			"cost":     schema.Float64Attribute{Optional: true, MarkdownDescription: "Money, by the operator's prices."},
			"soft":     schema.Float64Attribute{Optional: true, MarkdownDescription: "The share at which the event `api_key.budget_reached` occurs for the first time, from 0 to 1."},
		},
	}
}

// asData makes an attribute of a resource one that a data source reads.
func asData(attribute schema.Attribute) data.Attribute {
	description := attribute.GetMarkdownDescription()
	switch attribute := attribute.(type) {
	case schema.StringAttribute:
		return data.StringAttribute{Computed: true, CustomType: attribute.CustomType, MarkdownDescription: description}
	case schema.Int64Attribute:
		return data.Int64Attribute{Computed: true, MarkdownDescription: description}
	case schema.Float64Attribute:
		return data.Float64Attribute{Computed: true, MarkdownDescription: description}
	case schema.BoolAttribute:
		return data.BoolAttribute{Computed: true, MarkdownDescription: description}
	case schema.SetAttribute:
		return data.SetAttribute{Computed: true, ElementType: attribute.ElementType, MarkdownDescription: description}
	case schema.SingleNestedAttribute:
		return data.SingleNestedAttribute{Computed: true, Attributes: allAsData(attribute.Attributes), MarkdownDescription: description}
	case schema.ListNestedAttribute:
		return data.ListNestedAttribute{Computed: true, NestedObject: data.NestedAttributeObject{Attributes: allAsData(attribute.NestedObject.Attributes)}, MarkdownDescription: description}
	case schema.SetNestedAttribute:
		return data.SetNestedAttribute{Computed: true, NestedObject: data.NestedAttributeObject{Attributes: allAsData(attribute.NestedObject.Attributes)}, MarkdownDescription: description}
	default:
		panic(fmt.Sprintf("no data source has an attribute such as %T", attribute))
	}
}

func allAsData(all attributes) map[string]data.Attribute {
	result := map[string]data.Attribute{}
	for name, attribute := range all {
		result[name] = asData(attribute)
	}
	return result
}
