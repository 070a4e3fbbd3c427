data "latchkey_settings" "handbook" {
  kb_id = "kb_01kafdp6ygf4rs4s2cr5cvzwkc"
}
