#!/bin/sh
# Asks a question with an API key, by curl 7.76 or later.
set -eu

url=${LATCHKEY_URL:-http://localhost:3000}
while [ "${url%/}" != "$url" ]; do url=${url%/}; done

# A text as it stands between the quotes of JSON. There is no encoder here: control characters,
# such as the end of a line, become spaces.
json_text() { printf '%s' "$1" | tr '[:cntrl:]' ' ' | sed 's/[\\"]/\\&/g'; }
key=$(json_text "${LATCHKEY_API_KEY:-}")
question=$(json_text "${1:-}")
if [ -z "$key" ] || [ -z "$(printf '%s' "$question" | tr -d ' ')" ]; then
  echo 'Usage: LATCHKEY_API_KEY=… ./ask.sh "<question>"' >&2
  exit 2
fi

# A file, since what an attempt before the last one was answered must not be printed.
answer=$(mktemp)
trap 'rm -f "$answer"' EXIT

# The body comes by standard input: the arguments of a process are there for everybody to read.
# --retry waits as long as Retry-After says, after 429 and 503 among others.
status=0
curl --silent --fail-with-body --retry 4 --retry-max-time 60 --max-time 300 \
  --header 'Content-Type: application/json' --data-binary @- --output "$answer" \
  "$url/api/v1/chat" <<END || status=$?
{"api_key": "$key", "message": "$question"}
END

case $status in
0) cat "$answer" ;;
# A refusal: a problem document says which.
22) cat "$answer" >&2; exit 1 ;;
*) echo "unreachable: Nothing answers at $url (curl's exit code $status)." >&2; exit 1 ;;
esac
