"""What all pages share: layout, forms, language, problems, API documentation."""
