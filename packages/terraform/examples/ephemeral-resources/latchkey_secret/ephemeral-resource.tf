ephemeral "latchkey_secret" "shop" {
  id = latchkey_api_key.shop.id
}

# What stores it: any write-only attribute with a version, such as
# aws_secretsmanager_secret_version.secret_string_wo or vault_kv_secret_v2.data_json_wo.
resource "aws_secretsmanager_secret_version" "shop" {
  secret_id                = aws_secretsmanager_secret.shop.id
  secret_string_wo         = ephemeral.latchkey_secret.shop.value
  secret_string_wo_version = latchkey_api_key.shop.secret_version
}

resource "aws_secretsmanager_secret" "shop" {
  name = "shop/latchkey"
}
