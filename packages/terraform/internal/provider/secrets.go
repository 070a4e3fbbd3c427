package provider

import "sync"

// issuedSecrets holds the secrets that the service has issued in this run, for latchkey_secret. They are
// nowhere else: neither in the state nor in a plan.
type issuedSecrets struct {
	mutex   sync.Mutex
	issued  map[string]string
	planned map[string]bool
	claimed map[string]bool
}

func newIssuedSecrets() *issuedSecrets {
	return &issuedSecrets{issued: map[string]string{}, planned: map[string]bool{}, claimed: map[string]bool{}}
}

func (s *issuedSecrets) keep(id, secret string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.issued[id] = secret
}

func (s *issuedSecrets) find(id string) (secret string, isIssued bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	secret, isIssued = s.issued[id]
	return secret, isIssued
}

// setPlanned notes whether this run plans the resource, or goes on to change it.
func (s *issuedSecrets) setPlanned(id string, isPlanned bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.planned[id] = isPlanned
}

func (s *issuedSecrets) isPlanned(id string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.planned[id]
}

// claim says whether a name is claimed for the first time in this run.
func (s *issuedSecrets) claim(name string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	isFirst := !s.claimed[name]
	s.claimed[name] = true
	return isFirst
}
