-- Reads the number of partitions that the database was created with.
select partition_count from cluster_meta
