#!/bin/sh
# Asks a question with an API key, by curl 7.76 or later.
set -eu

url=${LATCHKEY_URL:-http://localhost:3000}
while [ "${url%/}" != "$url" ]; do url=${url%/}; done

# Escapes a text for JSON. Control characters, such as line ends, become spaces.
json_text() { printf '%s' "$1" | tr '[:cntrl:]' ' ' | sed 's/[\\"]/\\&/g'; }
key=$(json_text "${LATCHKEY_API_KEY:-}")
question=$(json_text "${1:-}")
if [ -z "$key" ] || [ -z "$(printf '%s' "$question" | tr -d ' ')" ]; then
  echo 'Usage: LATCHKEY_API_KEY=… ./ask.sh "<question>"' >&2
  exit 2
fi

# A file, because the answers of attempts before the last one must not be printed.
answer=$(mktemp)
trap 'rm -f "$answer"' EXIT

# The body comes by standard input, because everybody on the machine can read the arguments.
# --retry waits as long as Retry-After says, after 429 and 503 among others.
status=0
curl --silent --fail-with-body --retry 4 --retry-max-time 60 --max-time 300 \
  --header 'Content-Type: application/json' --data-binary @- --output "$answer" \
  "$url/api/v1/chat" <<END || status=$?
{"api_key": "$key", "message": "$question"}
END

case $status in
0) cat "$answer" ;;
# An error of the service: the problem document says which.
22) cat "$answer" >&2; exit 1 ;;
*) echo "unreachable: Nothing answers at $url (curl's exit code $status)." >&2; exit 1 ;;
esac
