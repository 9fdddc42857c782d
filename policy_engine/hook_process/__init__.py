"""The process that a host starts at a lifecycle event: read the payload, decide, answer by the deadline."""
