"""The whole service on one machine: data folder, embedded stores, supervisor."""
