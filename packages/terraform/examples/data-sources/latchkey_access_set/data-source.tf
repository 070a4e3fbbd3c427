data "latchkey_access_set" "support" {
  kb_id = "kb_01kafdp6ygf4rs4s2cr5cvzwkc"
  id    = "as_01kafdp6ygf4rs4s2cr5cvzwkc"
}
