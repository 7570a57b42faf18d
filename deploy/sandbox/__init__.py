"""A real Kafka Connect fleet on one machine: one KRaft broker, distributed workers, an eos-agent beside each."""
