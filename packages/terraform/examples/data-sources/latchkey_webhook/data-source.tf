data "latchkey_webhook" "alerts" {
  id = "wh_01kafdp6ygf4rs4s2cr5cvzwkc"
}
