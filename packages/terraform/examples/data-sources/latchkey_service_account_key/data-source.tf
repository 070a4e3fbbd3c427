data "latchkey_service_account_key" "ci" {
  id = "key_01kafdp6ygf4rs4s2cr5cvzwkc"
}
