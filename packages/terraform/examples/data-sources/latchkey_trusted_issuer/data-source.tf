data "latchkey_trusted_issuer" "actions" {
  kb_id = "kb_01kafdp6ygf4rs4s2cr5cvzwkc"
  id    = "trust_01kafdp6ygf4rs4s2cr5cvzwkc"
}
