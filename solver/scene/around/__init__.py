"""What stands around people and bears nothing: a car's pillars, rows of an aircraft, rails of an ejection seat."""
