resource "latchkey_knowledge_base" "handbook" {
  name        = "Product handbook"
  description = "What we promise to customers"
}
