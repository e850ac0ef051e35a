"""What requests and answers look like, for both directions and for the API document."""

from service.schemas.standard import remember_patterns

remember_patterns()  # before the first field is made
