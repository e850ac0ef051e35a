"""What requests and answers look like, for both directions and for the API document."""
