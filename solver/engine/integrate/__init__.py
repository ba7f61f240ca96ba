"""Steps through time: methods, step control, events, samples between steps."""
