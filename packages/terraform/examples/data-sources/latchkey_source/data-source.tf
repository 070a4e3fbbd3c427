data "latchkey_source" "docs" {
  id = "src_01kafdp6ygf4rs4s2cr5cvzwkc"
}
