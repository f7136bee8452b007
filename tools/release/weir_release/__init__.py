"""What a release consists of: wheels, bills of materials, checksums."""
