data "latchkey_member" "support" {
  kb_id   = "kb_01kafdp6ygf4rs4s2cr5cvzwkc"
  user_id = "group:support"
}
