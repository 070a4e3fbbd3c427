data "latchkey_knowledge_base" "handbook" {
  id = "kb_01kafdp6ygf4rs4s2cr5cvzwkc"
}
