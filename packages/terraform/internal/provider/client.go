package provider

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

const (
	maxAttempts    = 6
	maxWait        = 30 * time.Second
	requestTimeout = 60 * time.Second
	maxAnswerBytes = 16 << 20
)

// firstPause is the time before the first repetition, unless the service names one; it doubles from then on.
var firstPause = time.Second

// object is a JSON object: a body, an answer, or the values of a resource.
type object map[string]any

func (o object) text(name string) string {
	text, _ := o[name].(string)
	return text
}

// client sends requests to the service. It logs methods, paths and statuses, never headers or bodies.
type client struct {
	endpoint string
	headers  map[string]string
	http     *http.Client
	secrets  *issuedSecrets
}

// problem is a refusal, as RFC 9457 has it.
type problem struct {
	Status    int    `json:"status"`
	Code      string `json:"code"`
	Detail    string `json:"detail"`
	RequestID string `json:"request_id"`
	Errors    []struct {
		Field   string `json:"field"`
		Message string `json:"message"`
	} `json:"errors"`
}

func (p *problem) Error() string {
	return fmt.Sprintf("%d %s: %s (request %s)", p.Status, p.Code, p.Detail, p.RequestID)
}

// hasCode says whether the service refused a request with this code.
func hasCode(err error, code string) bool {
	var refusal *problem
	return errors.As(err, &refusal) && refusal.Code == code
}

func (c *client) get(ctx context.Context, path string) (object, error) {
	return c.send(ctx, http.MethodGet, path, nil, "")
}

// find reads all pages of a list, until a row meets the condition; nil if none does.
func (c *client) find(ctx context.Context, path string, matches func(object) bool) (object, error) {
	cursor := ""
	for {
		page, err := c.get(ctx, path+"?limit=100"+cursor)
		if err != nil {
			return nil, err
		}
		rows, _ := page["data"].([]any)
		for _, row := range rows {
			if row, ok := row.(map[string]any); ok && matches(row) {
				return row, nil
			}
		}
		next := page.text("next_cursor")
		if next == "" {
			return nil, nil
		}
		cursor = "&cursor=" + url.QueryEscape(next)
	}
}

// create posts a body. Repetitions after lost answers create nothing twice, because all have one
// Idempotency-Key.
func (c *client) create(ctx context.Context, path string, body object) (object, error) {
	return c.send(ctx, http.MethodPost, path, body, rand.Text())
}

// createNamed posts with an Idempotency-Key that the next run has too, so that it continues one that was interrupted.
// If what was created by that name has been used, changed or deleted since, it is another one that is wanted.
func (c *client) createNamed(ctx context.Context, path string, body object, name string) (object, error) {
	answer, err := c.send(ctx, http.MethodPost, path, body, name)
	if hasCode(err, "idempotency_conflict") {
		return c.create(ctx, path, body)
	}
	return answer, err
}

// send sends a request, and repeats it for a while when there is no answer, or one that asks for patience
// (429, 503). Every request can be repeated: POST has an Idempotency-Key.
func (c *client) send(ctx context.Context, method, path string, body object, idempotencyKey string) (object, error) {
	var content []byte
	if body != nil {
		var err error
		if content, err = json.Marshal(body); err != nil {
			return nil, err
		}
	}
	for attempt := 1; ; attempt++ {
		answer, wait, err := c.attempt(ctx, method, path, content, idempotencyKey)
		// A repeated deletion finds nothing, because the one whose answer was lost has done it.
		if attempt > 1 && method == http.MethodDelete && hasCode(err, "not_found") {
			return nil, nil
		}
		if err == nil || wait < 0 || attempt == maxAttempts || ctx.Err() != nil {
			return answer, err
		}
		if wait == 0 {
			wait = firstPause << (attempt - 1)
		}
		if wait > maxWait {
			return nil, fmt.Errorf("%w; the service asks to wait for %s", err, wait)
		}
		tflog.Info(ctx, "repeating a request", map[string]any{"method": method, "path": path, "wait": wait.String()})
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, err
		}
	}
}

// attempt sends a request once. A request is not to be repeated if wait is negative; wait is 0 if nobody
// says how long to wait.
func (c *client) attempt(ctx context.Context, method, path string, content []byte, idempotencyKey string) (answer object, wait time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, c.endpoint+"/api/v1"+path, bytes.NewReader(content))
	if err != nil {
		return nil, -1, err
	}
	for name, value := range c.headers {
		request.Header.Set(name, value)
	}
	if content != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if idempotencyKey != "" {
		request.Header.Set("Idempotency-Key", idempotencyKey)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = response.Body.Close() }()
	tflog.Debug(ctx, "answered", map[string]any{"method": method, "path": path, "status": response.StatusCode})
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswerBytes))
	if err != nil {
		return nil, 0, err
	}
	if response.StatusCode >= 400 {
		return nil, waitAfter(response), parseProblem(response, text)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&answer); err != nil {
		return nil, -1, fmt.Errorf("%s %s did not answer in JSON; is the endpoint a Latchkey service?", method, path)
	}
	return answer, 0, nil
}

func waitAfter(response *http.Response) time.Duration {
	if response.StatusCode != http.StatusTooManyRequests && response.StatusCode != http.StatusServiceUnavailable {
		return -1
	}
	seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

func parseProblem(response *http.Response, text []byte) error {
	refusal := &problem{}
	if json.Unmarshal(text, refusal) != nil || refusal.Code == "" {
		return fmt.Errorf("%s answered %s", response.Request.URL.Host, response.Status)
	}
	return refusal
}

// fill replaces the names in braces of a path, such as {kb_id}, by values.
func fill(path string, values object) string {
	parts := strings.Split(path, "/")
	for n, part := range parts {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			parts[n] = url.PathEscape(values.text(strings.TrimSuffix(name, "}")))
		}
	}
	return strings.Join(parts, "/")
}
