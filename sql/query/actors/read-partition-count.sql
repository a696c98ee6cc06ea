-- how many partitions the database was made with
select partition_count from cluster_meta
