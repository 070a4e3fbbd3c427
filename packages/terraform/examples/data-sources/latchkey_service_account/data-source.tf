data "latchkey_service_account" "deployment" {
  id = "sa_01kafdp6ygf4rs4s2cr5cvzwkc"
}
