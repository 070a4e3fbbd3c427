data "latchkey_api_key" "shop" {
  id = "key_01kafdp6ygf4rs4s2cr5cvzwkc"
}
