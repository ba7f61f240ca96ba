"""The bench in words and pictures: certificates, curves with what is asked of them, what fits leave open."""
