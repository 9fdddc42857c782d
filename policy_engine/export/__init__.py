"""Decisions in the forms that other systems read: a Parquet file, OpenTelemetry, OCSF. Nothing of it decides."""
